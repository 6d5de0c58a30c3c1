/** A call of the API that samples show. `body` is JSON text. */
export interface SampleCall {
  /** Name of the operation: the client's method. */
  name: string
  method: string
  /** Below the address, with what parameters stand for filled in. */
  path: string
  /** What follows the `?`, or empty. */
  query: string
  body: string | null
  /** How the call proves who makes it: not at all, by an API key of the exchange, by a session of the site, by the secret of its jobs, or
   * by a wallet. */
  proof: 'none' | 'key' | 'session' | 'scheduler' | 'wallet'
  /** Which of our clients has a method for it; null where none has. */
  client: 'exchange' | 'site' | null
  /** Address of the service. */
  url: string
  /** What the client's method takes: parameters, query and body. */
  input: Readonly<Record<string, unknown>>
  /** The same by the command line, where it can do it. */
  cli: string | null
}

/** The languages that samples are written in. */
export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'CLI'] as const
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]

/** How shell scripts and programs are given a key: what the page of API keys offers as a file. */
export const keyEnvironment = (key: { address: string; key: string; secret: string; passphrase: string }): string =>
  [
    `AUGURY_ADDRESS=${key.address}`,
    `AUGURY_API_KEY=${key.key}`,
    `AUGURY_API_SECRET=${key.secret}`,
    `AUGURY_API_PASSPHRASE=${key.passphrase}`,
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Variable that holds what a call sends as a bearer token. */
const BEARERS: Readonly<Record<string, string>> = { session: 'AUGURY_TOKEN', scheduler: 'SCHEDULER_SECRET' }

/** The call as a shell script: `openssl` signs, `curl` sends. */
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

/** What the samples say of the environment where they read it. */
const ENVIRONMENT = `import { env } from 'node:process'`

/** A variable of the environment that holds hex digits. */
const hexOf = (name: string): string => `env.${name} as \`0x\${string}\``

/** The call as a program in TypeScript. */
export function typescriptSample(call: SampleCall): string {
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

/** What no client of ours has a method for: `fetch` does it. */
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

/** What a wallet signs for is done by a function of its own. */
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

/** A sample in a language; null where there is none. What a wallet signs for is nothing for a shell. */
export function sampleIn(language: SampleLanguage, call: SampleCall): string | null {
  if (language === 'CLI') return call.cli
  if (call.proof !== 'wallet') return language === 'curl' ? curlSample(call) : typescriptSample(call)
  return language === 'TypeScript' && call.name in WALLET_CALLS ? typescriptSample(call) : null
}

/** A value as people write it in TypeScript: names without quotes where they need none. */
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
