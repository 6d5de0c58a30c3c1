import type { SwapOffer } from '@augury/wire/platform/swap'
import { zeroAddress } from 'viem'

const chain = (id: number, name: string, coin: string, usdc: `0x${string}`): SwapOffer['chains'][number] => ({
  id,
  name,
  tokens: [
    { address: usdc, symbol: 'USDC', decimals: 6 },
    { address: zeroAddress, symbol: coin, decimals: 18 },
  ],
})

/** A chain that money can come from: its native coin, and the USDC minted there by its issuer. */
export const SWAP_CHAINS: SwapOffer['chains'] = [
  chain(1, 'Ethereum', 'ETH', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  chain(8453, 'Base', 'ETH', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  chain(42161, 'Arbitrum One', 'ETH', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  chain(10, 'Optimism', 'ETH', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  chain(137, 'Polygon', 'POL', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
]

/**
 * The most native coin, in units of 10^-18, that a bridge may charge beside the amount swapped: about ten times the usual charge. A wallet
 * shows members who bring USDC what coin is sent along, but nothing else would stop a service that asked for all of it.
 */
export const COIN_FEES: Readonly<Record<string, bigint>> = { ETH: 2n * 10n ** 16n, POL: 100n * 10n ** 18n }
