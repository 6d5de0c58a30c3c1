/** What a wallet's provider throws. Wallets of phones wrap the error that has the code, each in its own way. */
interface ProviderFailure {
  code?: unknown
  message?: unknown
  data?: unknown
  originalError?: unknown
  error?: unknown
  cause?: unknown
}

/** Why a request failed: the user declined it, the wallet lacks the chain, the method or the account, or something else. */
export type FailureKind = 'declined' | 'no_chain' | 'no_method' | 'no_account' | 'pending' | 'other'

/** Codes of EIP-1193, EIP-1474, EIP-3326 and WalletConnect. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  4001: 'declined',
  5000: 'declined',
  ACTION_REJECTED: 'declined',
  4902: 'no_chain',
  5100: 'no_chain',
  4200: 'no_method',
  '-32601': 'no_method',
  5101: 'no_method',
  4100: 'no_account',
  '-32002': 'pending',
}

/** Texts of wallets whose codes say nothing. */
const TEXTS: readonly [RegExp, FailureKind][] = [
  [/user (rejected|denied|cancell?ed|disapproved)/i, 'declined'],
  [/unrecognized chain|unknown chain|wallet_addEthereumChain/i, 'no_chain'],
]

/** How deep wallets nest the error that has the code. */
const DEPTH = 4

/** The kind of a provider's error, by the innermost code that says something, else by its text. */
export function kindOf(error: unknown): FailureKind {
  const layers = layersOf(error, DEPTH)
  const byCode = layers.toReversed().map(({ code }) => KINDS[String(code)])
  const byText = layers.map(({ message }) => TEXTS.find(([text]) => typeof message === 'string' && text.test(message))?.[1])
  return [...byCode, ...byText].find((kind) => kind !== undefined) ?? 'other'
}

/** The text of a provider's error, at most a line long; empty without one. */
export function textOf(error: unknown): string {
  const { message } = layersOf(error, DEPTH).find((layer) => typeof layer.message === 'string' && layer.message !== '') ?? {}
  return String(message ?? '').slice(0, 200)
}

function layersOf(error: unknown, depth: number): ProviderFailure[] {
  if (typeof error === 'string') return [{ message: error }]
  if (typeof error !== 'object' || error === null || depth === 0) return []
  const layer = error as ProviderFailure
  return [layer, ...[layer.data, layer.originalError, layer.error, layer.cause].flatMap((inner) => layersOf(inner, depth - 1))]
}
