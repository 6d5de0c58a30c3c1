/** Names of the signed headers: our own prefix or the established one, with hyphens too, as some gateways drop underscores. */

/** A signed header, by meaning. */
export type SignedHeader = 'address' | 'apiKey' | 'passphrase' | 'timestamp' | 'signature' | 'nonce'
/** The prefix of a request's headers. If both occur, ours decides which rule applies to the query. */
export type Dialect = 'svc' | 'poly'

const suffixes: Readonly<Record<SignedHeader, string>> = {
  address: 'address',
  apiKey: 'api_key',
  passphrase: 'passphrase',
  timestamp: 'timestamp',
  signature: 'signature',
  nonce: 'nonce',
}

/** Headers of a request signed by an API key. */
export const requestHeaders = ['address', 'apiKey', 'passphrase', 'timestamp', 'signature'] as const satisfies SignedHeader[]
/** Headers of a request signed by a wallet. */
export const walletHeaders = ['address', 'timestamp', 'nonce', 'signature'] as const satisfies SignedHeader[]

/** The name under which a client sends a header: `SVC_API_KEY`. */
export const headerName = (header: SignedHeader, dialect: Dialect = 'svc'): string => `${dialect}_${suffixes[header]}`.toUpperCase()

/** All spellings of each header, ours first. */
const spellingsOf = Object.fromEntries(
  Object.entries(suffixes).map(([name, suffix]) => [
    name,
    (['svc', 'poly'] as const).flatMap((dialect) => {
      const spelling = `${dialect}_${suffix}`
      return [spelling, spelling.replaceAll('_', '-')].map((each) => ({ dialect, spelling: each }))
    }),
  ]),
) as Record<SignedHeader, { dialect: Dialect; spelling: string }[]>

/** Every spelling of every signed header in lower case, for CORS and for redaction in logs. */
export const headerSpellings: readonly string[] = Object.values(spellingsOf).flatMap((each) => each.map(({ spelling }) => spelling))

/**
 * Collects the named headers from a request. `get` takes a lower-case name. Null when one is missing or empty, or when two
 * spellings of one disagree.
 */
export function readHeaders<Name extends SignedHeader>(
  get: (name: string) => string | null | undefined,
  names: readonly Name[],
): { dialect: Dialect; values: Record<Name, string> } | null {
  const values = {} as Record<Name, string>
  let dialect: Dialect = 'poly'
  for (const name of names) {
    for (const { dialect: prefix, spelling } of spellingsOf[name]) {
      const value = get(spelling)
      if (value === null || value === undefined || value === '') continue
      if (values[name] !== undefined && values[name] !== value) return null
      values[name] = value
      if (prefix === 'svc') dialect = 'svc'
    }
    if (values[name] === undefined) return null
  }
  return { dialect, values }
}

/** Unix seconds of a timestamp header, or null when it is not plain digits. */
export const readTimestamp = (text: string): number | null => (/^(0|[1-9]\d{0,11})$/.test(text) ? Number(text) : null)

/** Whether a signed timestamp is within the window, either way; the edges are inside. */
export const withinWindow = (timestamp: number, nowSeconds: number, windowSeconds: number): boolean =>
  Math.abs(nowSeconds - timestamp) <= windowSeconds
