import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnnouncedWallet, watchWallets } from '../src/lib/wallet/announced-wallets.ts'

const request = async () => null
const detail = (name: string, more: object = {}) => ({
  info: { uuid: name, name, icon: 'data:image/png;base64,', rdns: 'x', ...more },
  provider: { request },
})
const announce = (what: unknown) => window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail: what }))

let shown: string[] = []
let wallets: AnnouncedWallet[] = []
let stop = () => {}
/** Opens a page with these things on its window. */
function open(things: object = {}) {
  Object.assign(window, things)
  stop = watchWallets((found) => {
    wallets = found
    shown = found.map(({ info }) => info.name)
  }, 'Browser wallet')
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  shown = []
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a wallet that announces nothing is found at window.ethereum, by the name that it tells', () => {
  open({ ethereum: { request, isMetaMask: true, isTrust: true } })
  expect(shown).toEqual(['Trust Wallet'])
})

test('a wallet that tells no name is shown all the same', () => {
  open({ ethereum: { request } })
  expect(shown).toEqual(['Browser wallet'])
})

test('several wallets that share window.ethereum are all shown', () => {
  open({ ethereum: { request, providers: [{ request, isMetaMask: true }, { request, isCoinbaseWallet: true }, null] } })
  expect(shown).toEqual(['MetaMask', 'Coinbase Wallet'])
})

test('a wallet that is injected late is found, with its event or without', () => {
  open()
  expect(shown).toEqual([])
  Object.assign(window, { ethereum: { request, isRabby: true } })
  vi.advanceTimersByTime(1000)
  expect(shown).toEqual(['Rabby'])
  stop()
  vi.stubGlobal('window', new EventTarget())
  open()
  Object.assign(window, { ethereum: { request, isMetaMask: true } })
  window.dispatchEvent(new Event('ethereum#initialized'))
  expect(shown).toEqual(['MetaMask'])
})

test('a wallet that announces itself, also late, takes the place of window.ethereum, and is shown once', () => {
  open({ ethereum: { request, isMetaMask: true } })
  announce(detail('Late'))
  announce(detail('Late'))
  announce(detail('Other'))
  expect(shown).toEqual(['Late', 'Other'])
})

test('announcements that are none are ignored, and icons from elsewhere are not shown', () => {
  open()
  for (const wrong of [undefined, null, {}, { info: {} }, { info: { uuid: 'x', name: 'x' } }, { provider: { request } }, 'x'])
    announce(wrong)
  expect(shown).toEqual([])
  announce(detail('Far', { icon: 'https://elsewhere.test/icon.png' }))
  announce(detail('Bare', { icon: undefined }))
  announce(detail('Huge', { icon: `data:image/png;base64,${'A'.repeat(300_000)}` }))
  announce(detail('Odd', { icon: 7 }))
  expect(wallets.map(({ info }) => info.icon)).toEqual(['', '', '', ''])
})

test('nothing is looked for after the page was left', () => {
  open()
  stop()
  announce(detail('Late'))
  Object.assign(window, { ethereum: { request } })
  vi.advanceTimersByTime(10_000)
  expect(shown).toEqual([])
})
