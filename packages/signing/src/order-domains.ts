import { getAddress, type Hex, keccak256, stringToHex } from 'viem'

/** EIP-712 domains under which orders are signed. */
export interface OrderDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: Hex
}

/** Our own domain, for plain and neg-risk markets. Its contract is not deployed: it is the hash of a name, which no key belongs to. */
export const auguryOrderDomain = (chainId: number): OrderDomain => ({
  name: 'Augury Exchange',
  version: '1',
  chainId,
  verifyingContract: `0x${keccak256(stringToHex('augury exchange')).slice(-40)}`,
})

type Contracts = Readonly<Record<1 | 2 | 3, { plain: Hex; negRisk: Hex }>>

const NEG_RISK_V1 = '0xC5d563A36AE78145C45a50134d48A1215220f80a'
const NEG_RISK_V2 = '0xe2222d279d744050d28e00520010520000310F59'
const PLAIN_V2 = '0xE111180000d2663C0091e4f400237545B87B996B'
// Version 3 has one contract for both kinds of market.
const V3 = '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa'
const V3_TEST = '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D'

/** Contract addresses built into established clients, by chain and version. */
const contracts: Readonly<Record<number, Contracts>> = {
  137: {
    1: { plain: '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E', negRisk: NEG_RISK_V1 },
    2: { plain: PLAIN_V2, negRisk: NEG_RISK_V2 },
    3: { plain: V3, negRisk: V3 },
  },
  80002: {
    1: { plain: '0xdFE02Eb6733538f8Ea35D585af8DE5958AD99E40', negRisk: NEG_RISK_V1 },
    2: { plain: PLAIN_V2, negRisk: NEG_RISK_V2 },
    3: { plain: V3_TEST, negRisk: V3_TEST },
  },
}

/** Chains of established clients, whose signatures a sandbox accepts whatever its own chain is. */
export const ESTABLISHED_CHAINS: readonly number[] = Object.keys(contracts).map(Number)

/** Every contract under which orders of a chain may be signed; clients check their allowances for these. */
export const orderContracts = (chainId: number): Hex[] => {
  const established = Object.values(contracts[chainId] ?? {}).flatMap(({ plain, negRisk }) => [plain, negRisk])
  return [...new Set([getAddress(auguryOrderDomain(chainId).verifyingContract), ...established])]
}

/** The established domain of a version; null on a chain that those clients do not support. */
export function establishedOrderDomain(chainId: number, version: 1 | 2 | 3, negRisk: boolean): OrderDomain | null {
  const contract = contracts[chainId]?.[version][negRisk ? 'negRisk' : 'plain']
  return contract ? { name: 'Polymarket CTF Exchange', version: String(version), chainId, verifyingContract: contract } : null
}
