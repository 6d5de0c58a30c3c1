import { platformExamples } from '@augury/wire/documents/examples/platform'
import { SiweMessage } from 'siwe'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { messageProblem, nonceIn, readMessage, type SignInPolicy, signInChains, wrongPart } from '../src/identity/sign-in-message.ts'
import { walletSignature } from '../src/identity/wallet-signature.ts'
import negative from './vectors/siwe/parsing_negative.json' with { type: 'json' }
import negativeObjects from './vectors/siwe/parsing_negative_objects.json' with { type: 'json' }
import positive from './vectors/siwe/parsing_positive.json' with { type: 'json' }
import mustNotVerify from './vectors/siwe/verification_negative.json' with { type: 'json' }
import mustVerify from './vectors/siwe/verification_positive.json' with { type: 'json' }

const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const NOW = new Date('2026-11-20T12:00:00.000Z')
const policy: SignInPolicy = { origins: ['https://site.test', 'http://localhost:3000'], chains: [80002, 1], now: NOW }
const NONCE = 'abcdefghijklmnopqrstuvwxyz012345'

const FIELDS = {
  head: 'site.test wants you to sign in with your Ethereum account:',
  address: wallet.address as string,
  statement: 'Sign in to Augury.',
  uri: 'https://site.test/login',
  version: '1',
  chain: '80002',
  nonce: NONCE,
  issued: NOW.toISOString(),
  more: '',
}
const textOf = (changes: Partial<typeof FIELDS> = {}) => {
  const { head, address, statement, uri, version, chain, nonce, issued, more } = { ...FIELDS, ...changes }
  const said = statement === '' ? '' : `${statement}\n`
  return `${head}\n${address}\n\n${said}\nURI: ${uri}\nVersion: ${version}\nChain ID: ${chain}\nNonce: ${nonce}\nIssued At: ${issued}${more}`
}

/** The server's refusal of a text, or null if only the signature remains to be checked. */
const problemOf = (text: string, its: SignInPolicy = policy) => {
  const message = readMessage(text)
  return message ? messageProblem(text, message, its) : 'message_malformed'
}
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds).toISOString()

test('the message that the reference shows is one that is accepted, at its site and in its time', () => {
  const { message } = platformExamples.signIn!.body as { message: string }
  const its = { origins: ['https://site.example.org'], chains: [137], now: new Date('2026-01-01T09:00:00.000Z') }
  expect(problemOf(message, its)).toBeNull()
})

test.each(Object.entries(positive))('vector: %s is parsed', (_, { message, fields }) => {
  const { scheme, ...rest } = fields as { scheme?: string | null }
  expect(JSON.parse(JSON.stringify(readMessage(message)))).toEqual(scheme ? fields : rest)
})

test.each(Object.entries(negative))('vector: %s is refused', (_, message) => {
  expect(readMessage(message)).toBeNull()
})

/** Formats fields as in the standard, valid or not. */
const write = (fields: Record<string, unknown>) => {
  const lines = [
    `${fields.domain ?? ''} wants you to sign in with your Ethereum account:`,
    `${fields.address ?? ''}`,
    '',
    fields.statement,
    '',
  ]
  const named = { URI: 'uri', Version: 'version', 'Chain ID': 'chainId', Nonce: 'nonce', 'Issued At': 'issuedAt' }
  const optional = { 'Expiration Time': 'expirationTime', 'Not Before': 'notBefore', 'Request ID': 'requestId' }
  for (const [name, key] of Object.entries({ ...named, ...optional })) if (fields[key] !== undefined) lines.push(`${name}: ${fields[key]}`)
  const resources = (fields.resources as string[] | undefined) ?? []
  return [...lines, ...(resources.length > 0 ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : [])].join('\n')
}

test.each(Object.entries(negativeObjects))('vector: %s, formatted, is refused', (_, fields) => {
  expect(readMessage(write(fields))).toBeNull()
})

test.each<[string, string]>([
  ['as asked', textOf()],
  ['without a statement', textOf({ statement: '' })],
  [
    'for the site by another of its names',
    textOf({ head: FIELDS.head.replace('site.test', 'localhost:3000'), uri: 'http://localhost:3000' }),
  ],
  ['with the scheme before the domain', textOf({ head: `https://${FIELDS.head}` })],
  ['on another chain of the list', textOf({ chain: '1' })],
  ['five minutes old', textOf({ issued: at(-300_000) })],
  ['five minutes ahead', textOf({ issued: at(300_000) })],
  ['with a time zone', textOf({ issued: '2026-11-20T13:00:00.000+01:00' })],
  ['that expires later', textOf({ more: `\nExpiration Time: ${at(1000)}` })],
  ['that counts from now', textOf({ more: `\nNot Before: ${NOW.toISOString()}` })],
  ['with a request id and a resource', textOf({ more: '\nRequest ID: 7\nResources:\n- https://site.test/terms' })],
])('a message %s is accepted', (_, text) => {
  expect(problemOf(text)).toBeNull()
})

test.each<[string, string, string]>([
  ['for another site', textOf({ head: FIELDS.head.replace('site.test', 'evil.test') }), 'wrong_domain'],
  ['for a site below ours', textOf({ head: FIELDS.head.replace('site.test', 'a.site.test') }), 'wrong_domain'],
  ['for our name on another port', textOf({ head: FIELDS.head.replace('site.test', 'site.test:8443') }), 'wrong_domain'],
  ['for our name with a user', textOf({ head: FIELDS.head.replace('site.test', 'me@site.test') }), 'wrong_domain'],
  ['for our name by another scheme', textOf({ head: `http://${FIELDS.head}` }), 'wrong_domain'],
  ['with the address of another site', textOf({ uri: 'https://evil.test/login' }), 'wrong_uri'],
  ['with our address by another scheme', textOf({ uri: 'http://site.test/login' }), 'wrong_uri'],
  ['with another address of ours', textOf({ uri: 'http://localhost:3000/login' }), 'wrong_uri'],
  ['with our address as a user', textOf({ uri: 'https://site.test@evil.test/' }), 'wrong_uri'],
  ['with an address that is no URL', textOf({ uri: 'urn:site.test' }), 'wrong_uri'],
  ['on a chain that is not ours', textOf({ chain: '56' }), 'chain_not_allowed'],
  ['on a chain written in hex', textOf({ chain: '0x1' }), 'message_malformed'],
  ['on a chain with a leading zero', textOf({ chain: '080002' }), 'message_not_canonical'],
  ['of version 2', textOf({ version: '2' }), 'message_malformed'],
  ['that is too old', textOf({ issued: at(-300_001) }), 'message_stale'],
  ['of yesterday', textOf({ issued: at(-86_400_000) }), 'message_stale'],
  ['of the future', textOf({ issued: at(300_001) }), 'message_stale'],
  ['of no day at all', textOf({ issued: '2026-02-31T12:00:00.000Z' }), 'message_malformed'],
  ['of a day without time', textOf({ issued: '2026-11-20' }), 'message_malformed'],
  ['that has expired', textOf({ more: `\nExpiration Time: ${NOW.toISOString()}` }), 'message_expired'],
  ['that counts only later', textOf({ more: `\nNot Before: ${at(1)}` }), 'message_stale'],
  ['of an address in lower case', textOf({ address: wallet.address.toLowerCase() }), 'message_malformed'],
  ['of an address with a wrong checksum', textOf({ address: wallet.address.replace('E7E3', 'e7e3') }), 'message_malformed'],
  ['of an address that is too short', textOf({ address: wallet.address.slice(0, -1) }), 'message_malformed'],
  ['with a second nonce', textOf({ nonce: `${NONCE}\nNonce: ${NONCE}` }), 'message_malformed'],
  ['with a second chain', textOf({ chain: '80002\nChain ID: 1' }), 'message_malformed'],
  ['with a second address', textOf({ uri: 'https://site.test\nURI: https://evil.test' }), 'message_malformed'],
  ['whose nonce stands only in the statement', textOf({ statement: `Nonce: ${NONCE}`, nonce: 'short123' }), 'nonce_unknown'],
  ['with a nonce of another length', textOf({ nonce: `${NONCE}x` }), 'nonce_unknown'],
  ['with a nonce of other letters', textOf({ nonce: `${NONCE.slice(1)}_` }), 'message_malformed'],
  ['with a line break at the end', `${textOf()}\n`, 'message_malformed'],
  ['with a space at the end', `${textOf()} `, 'message_malformed'],
  ['with something before it', ` ${textOf()}`, 'message_malformed'],
  ['with Windows line breaks', textOf().replaceAll('\n', '\r\n'), 'message_malformed'],
  ['with a statement of two lines', textOf({ statement: 'Sign in.\nURI: https://evil.test' }), 'message_malformed'],
  ['with a statement that hides letters', textOf({ statement: 'Sign in\u202e.' }), 'message_malformed'],
  ['with a statement that is too long', textOf({ statement: 'a'.repeat(301) }), 'statement_too_long'],
  ['of nothing', '', 'message_malformed'],
])('a message %s is refused', (_, text, code) => {
  expect(problemOf(text)).toBe(code)
})

test.each<[string, string]>([
  ['domain', textOf({ head: 'site.test wants you to sign in with your account:' })],
  ['domain', `\n${textOf()}`],
  ['address', textOf({ address: wallet.address.toLowerCase() })],
  ['address', textOf({ address: wallet.address.slice(0, -1) })],
  ['URI', textOf({ uri: 'site.test' })],
  ['URI', textOf({ uri: 'https://site.test\nURI: https://evil.test' })],
  ['version', textOf({ version: '2' })],
  ['chain ID', textOf({ chain: '0x1' })],
  ['chain ID', textOf({ chain: '080002' })],
  ['nonce', textOf({ nonce: 'a_b' })],
  ['nonce', textOf({ nonce: `${NONCE}\nNonce: ${NONCE}` })],
  ['issued-at time', textOf({ issued: '2026-02-31T12:00:00.000Z' })],
  ['issued-at time', textOf().replace(/\nIssued At: .*/, '')],
  ['expiration time', textOf({ more: '\nExpiration Time: tomorrow' })],
  ['not-before time', textOf({ more: '\nNot Before: 2026-11-20' })],
  ['resources', textOf({ more: '\nResources:\nhttps://site.test/terms' })],
  ['statement', textOf({ statement: 'Sign in\u202e.' })],
  ['statement', textOf({ statement: 'Sign in.\nOr not.' })],
])('a message with a wrong %s is refused with the name of the part', (part, text) => {
  expect(problemOf(text)).toMatch(/^message_(malformed|not_canonical)$/)
  expect(wrongPart(text)).toBe(part)
})

test('the nonce of a message that is malformed is known too', () => {
  expect(nonceIn(textOf({ version: '2' }))).toBe(NONCE)
  expect([nonceIn(''), nonceIn(textOf({ nonce: 'short123' }))]).toEqual(['', ''])
})

test('a sandbox accepts the common chains of wallets, production only its own', () => {
  expect(signInChains({ mode: 'sandbox', chainId: 80002 })).toEqual([80002, 1, 137, 31337])
  expect(signInChains({ mode: 'production', chainId: 137 })).toEqual([137])
})

interface Vector {
  signature: string
  time?: string
  domainBinding?: string
  [field: string]: unknown
}
const noNode = { chainId: 1, rpcUrl: null }
const verdict = async ({ signature, time: _, domainBinding: __, ...fields }: Vector) =>
  walletSignature(new SiweMessage(fields as Partial<SiweMessage>), signature, noNode)
/** Whether our policy accepts the times of a vector, as if it were issued now and for us. */
const isTimely = ({ time, expirationTime, notBefore }: Vector) => {
  const now = new Date((time as string | undefined) ?? NOW)
  const more = `${expirationTime ? `\nExpiration Time: ${expirationTime}` : ''}${notBefore ? `\nNot Before: ${notBefore}` : ''}`
  return problemOf(textOf({ issued: now.toISOString(), more }), { ...policy, now }) === null
}

test.each(Object.entries(mustVerify as unknown as Record<string, Vector>))('vector: %s verifies', async (_, vector) => {
  expect(await verdict(vector)).toBe('key')
})

// Some of these fail by the expected values, which the policy and the nonce check here.
const notBySignature: Record<string, (vector: Vector) => unknown> = {
  'domain binding': ({ domainBinding, domain }) => domainBinding === domain,
  'custom nonce': ({ matchNonce, nonce }) => matchNonce === nonce,
  'expired message': isTimely,
  'custom time': isTimely,
  'not yet valid': isTimely,
}
test.each(Object.entries(mustNotVerify as unknown as Record<string, Vector>))('vector: %s does not verify', async (name, vector) => {
  if (name in notBySignature) expect(notBySignature[name]!(vector)).toBe(false)
  else expect(await verdict(vector).catch(() => null)).toBeNull()
})

const signed = async (text = textOf()) => ({ message: readMessage(text)!, signature: await wallet.signMessage({ message: text }) })
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test('the signer is the address in the message', async () => {
  const { message, signature } = await signed()
  expect(await walletSignature(message, signature, noNode)).toBe('key')
})

const s = (signature: string) => BigInt(`0x${signature.slice(66, 130)}`)
const withS = (signature: string, value: bigint, v: string) => `${signature.slice(0, 66)}${value.toString(16).padStart(64, '0')}${v}`

test.each<[string, (signature: string) => string]>([
  ['the twin with the other s', (good) => withS(good, ORDER - s(good), good.endsWith('1b') ? '1c' : '1b')],
  ['an s of nothing', (good) => withS(good, 0n, '1b')],
  ['another parity', (good) => good.slice(0, -2) + (good.endsWith('1b') ? '1c' : '1b')],
  ['a parity that there is not', (good) => `${good.slice(0, -2)}1d`],
  ['a bit less', (good) => good.slice(0, -2)],
  ['a byte more', (good) => `${good}00`],
  ['half a byte more', (good) => `${good}0`],
  ['no hex', (good) => `${good.slice(0, -1)}g`],
  ['no 0x', (good) => good.slice(2)],
  ['nothing', () => '0x'],
  ['more than a contract wallet may say', (good) => good + '00'.repeat(8192)],
])('a signature that is %s is invalid', async (_, change) => {
  const { message, signature } = await signed()
  expect(await walletSignature(message, change(signature), noNode)).toBeNull()
})

test('a signature of another message is invalid', async () => {
  const { message } = await signed()
  const { signature } = await signed(textOf({ statement: 'Something else.' }))
  expect(await walletSignature(message, signature, noNode)).toBeNull()
})
