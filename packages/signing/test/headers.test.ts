import { describe, expect, test } from 'vitest'
import { headerName, headerSpellings, readHeaders, readTimestamp, requestHeaders } from '../src/headers.ts'

const full = { address: '0xa', api_key: 'k', passphrase: 'p', timestamp: '1', signature: 's' }
const named = (prefix: string, separator = '_') =>
  Object.fromEntries(Object.entries(full).map(([name, value]) => [`${prefix}_${name}`.replaceAll('_', separator), value]))
const read = (headers: Record<string, string>) => readHeaders((name) => headers[name], requestHeaders)
const values = { address: '0xa', apiKey: 'k', passphrase: 'p', timestamp: '1', signature: 's' }

describe('signed headers', () => {
  test.each([
    ['our names', named('svc'), 'svc'],
    ['our names with hyphens', named('svc', '-'), 'svc'],
    ['established names', named('poly'), 'poly'],
    ['established names with hyphens', named('poly', '-'), 'poly'],
    ['both, agreeing', { ...named('svc'), ...named('poly') }, 'svc'],
    ['a mixture', { ...named('poly'), poly_signature: '', 'svc-signature': 's' }, 'svc'],
  ])('are read under %s', (_, headers, dialect) => {
    expect(read(headers)).toEqual({ dialect, values })
  })

  test.each([
    ['one is missing', { ...named('svc'), svc_passphrase: undefined as unknown as string }],
    ['one is empty', { ...named('svc'), svc_signature: '' }],
    ['two spellings disagree', { ...named('svc'), 'svc-address': '0xb' }],
    ['two prefixes disagree', { ...named('svc'), ...named('poly'), poly_api_key: 'other' }],
    ['there are none', {}],
  ])('are refused when %s', (_, headers) => {
    expect(read(headers)).toBeNull()
  })

  test('are sent in upper case and known in all spellings', () => {
    expect(headerName('apiKey')).toBe('SVC_API_KEY')
    expect(headerName('nonce', 'poly')).toBe('POLY_NONCE')
    expect(headerSpellings).toHaveLength(24)
    expect(headerSpellings).toContain('poly-api-key')
  })

  test.each([
    ['1710000000', 1710000000],
    ['0', 0],
    ['01', null],
    ['-1', null],
    ['1.5', null],
    ['1e9', null],
    [' 1', null],
    ['', null],
    ['1234567890123', null],
  ])('a timestamp of %j is %s', (text, seconds) => {
    expect(readTimestamp(text)).toBe(seconds)
  })
})
