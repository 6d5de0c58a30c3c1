/** An API call shown in samples. `body` is JSON text. */
export interface SampleCall {
  /** Name of the operation, which is the client's method. */
  name: string
  method: string
  /** Path below the base URL, with parameters filled in. */
  path: string
  /** What follows the `?`; may be empty. */
  query: string
  body: string | null
  /** Authentication: none, an API key of the exchange, a session of the site, the secret of its jobs, or a wallet. */
  proof: 'none' | 'key' | 'session' | 'scheduler' | 'wallet'
  /** The client that has a method for it; null if none. */
  client: 'exchange' | 'site' | null
  /** Base URL of the service. */
  url: string
  /** Argument of the client's method: parameters, query and body. */
  input: Readonly<Record<string, unknown>>
  /** The command line for it; null if there is none. */
  cli: string | null
}

/** Languages of samples. */
export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'CLI'] as const
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]

/** Environment file with a key for scripts, as offered on the page of API keys. */
export const keyEnvironment = (key: { address: string; key: string; secret: string; passphrase: string }): string =>
  [
    `AUGURY_ADDRESS=${key.address}`,
    `AUGURY_API_KEY=${key.key}`,
    `AUGURY_API_SECRET=${key.secret}`,
    `AUGURY_API_PASSPHRASE=${key.passphrase}`,
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Environment variable of the bearer token, by authentication. */
const BEARERS: Readonly<Record<string, string>> = { session: 'AUGURY_TOKEN', scheduler: 'SCHEDULER_SECRET' }

/** The call as a shell script, with `openssl` and `curl`. */
export function curlSample({ method, path, query, body, proof, url }: SampleCall): string {
  const target = `${url}${path}${query === '' ? '' : `?${query}`}`
  const flags = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(body === null ? [] : [`-H 'content-type: application/json'`, `-d "$BODY"`]),
    ...(proof in BEARERS ? [`-H "authorization: Bearer $${BEARERS[proof]}"`] : []),
    ...(proof === 'key'
      ? [
          `-H "SVC_ADDRESS: $AUGURY_ADDRESS"`,
          `-H "SVC_API_KEY: $AUGURY_API_KEY"`,
          `-H "SVC_PASSPHRASE: $AUGURY_API_PASSPHRASE"`,
          `-H "SVC_TIMESTAMP: $TIME"`,
          `-H "SVC_SIGNATURE: $SIGNATURE"`,
        ]
      : []),
  ]
  const signed = `${method}${path}${method === 'GET' || query === '' ? '' : `?${query}`}`
  return [
    ...(body === null ? [] : [`BODY=${quoted(body)}`]),
    ...(proof === 'key'
      ? [
          'TIME=$(date +%s)',
          `SECRET=$(printf %s "$AUGURY_API_SECRET" | tr '_-' '/+' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
          `SIGNATURE=$(printf %s "$TIME"${quoted(signed)}${body === null ? '' : '"$BODY"'} |`,
          `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SECRET" -binary | openssl base64 -A | tr '/+' '_-')`,
        ]
      : []),
    [`curl ${quoted(target)}`, ...flags].join(' \\\n  '),
  ].join('\n')
}

/** Import of samples that read the environment. */
const ENVIRONMENT = `import { env } from 'node:process'`

/** Reads an environment variable of hex digits. */
const hexOf = (name: string): string => `env.${name} as \`0x\${string}\``

/** The call as a program in TypeScript. */
function typescriptSample(call: SampleCall): string {
  const { name, proof, client, url, input } = call
  if (proof === 'wallet') return walletSample(call)
  if (client === null) return fetchSample(call)
  const argument = Object.keys(input).length === 0 ? '' : literal(input)
  const proven = {
    key: [
      'const apiKey = {',
      `  address: ${hexOf('AUGURY_ADDRESS')},`,
      '  key: env.AUGURY_API_KEY!,',
      '  secret: env.AUGURY_API_SECRET!,',
      '  passphrase: env.AUGURY_API_PASSPHRASE!,',
      '}',
    ],
    session: [],
    scheduler: [],
    none: [],
  }[proof]
  const [make, from] = client === 'site' ? ['platformClient', 'platform'] : ['venueClient', 'rest']
  const options = [`url: '${url}'`, ...(proof === 'key' ? ['apiKey'] : []), ...(proof in BEARERS ? [`token: env.${BEARERS[proof]}!`] : [])]
  return [
    ...(proof === 'none' ? [] : [ENVIRONMENT]),
    `import { ${make} } from '@augury/client/${from}'`,
    '',
    ...proven,
    `const ${client} = ${make}({ ${options.join(', ')} })`,
    `console.log(await ${client}.${name}(${argument}))`,
  ].join('\n')
}

/** A call without a client method, by `fetch`. */
function fetchSample({ method, path, query, body, proof, url, input }: SampleCall): string {
  const headers = [
    ...(body === null ? [] : [`'content-type': 'application/json'`]),
    ...(proof in BEARERS ? [`authorization: \`Bearer \${env.${BEARERS[proof]}}\``] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === null ? [] : [`  body: JSON.stringify(${literal(input.body, '  ')}),`]),
  ]
  const target = `'${url}${path}${query === '' ? '' : `?${query}`}'`
  return [
    ...(proof in BEARERS ? [ENVIRONMENT, ''] : []),
    ...(options.length === 0 ? [`const answer = await fetch(${target})`] : [`const answer = await fetch(${target}, {`, ...options, '})']),
    'console.log(answer.status, await answer.json())',
  ].join('\n')
}

/** Functions for calls signed by a wallet. */
const WALLET_CALLS: Readonly<Record<string, string>> = { createKey: 'createApiKey', deriveKey: 'deriveApiKey' }

function walletSample({ name, url, input }: SampleCall): string {
  const make = WALLET_CALLS[name]!
  const options = Object.entries((input.body ?? {}) as Record<string, unknown>).map(([key, value]) => `, ${key}: ${literal(value)}`)
  return [
    ENVIRONMENT,
    `import { ${make} } from '@augury/client/api-key'`,
    `import { privateKeyToAccount } from 'viem/accounts'`,
    '',
    `const wallet = privateKeyToAccount(${hexOf('AUGURY_WALLET_KEY')})`,
    `console.log(await ${make}({ url: '${url}', wallet${options.join('')} }))`,
  ].join('\n')
}

/** A sample in a language; null if there is none, as for calls signed by a wallet in a shell. */
export function sampleIn(language: SampleLanguage, call: SampleCall): string | null {
  if (language === 'CLI') return call.cli
  if (call.proof !== 'wallet') return language === 'curl' ? curlSample(call) : typescriptSample(call)
  return language === 'TypeScript' && call.name in WALLET_CALLS ? typescriptSample(call) : null
}

/** A value as a TypeScript literal, without unnecessary quotes. */
function literal(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(
    ([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: ${literal(each, inner)}`,
  )
  const line = `{ ${entries.join(', ')} }`
  return line.length + indent.length <= 100 ? line : `{\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}}`
}
