/** Which of our packages each package's sources import: the map of ARCHITECTURE.md as a table. Tests may also use `testing`. */
export const imported: Readonly<Record<string, readonly string[]>> = {
  units: [],
  art: [],
  testing: [],
  search: [],
  settings: [],
  signing: ['units'],
  contracts: ['signing'],
  wire: [],
  client: ['units', 'signing', 'wire'],
  cli: ['units', 'signing', 'contracts', 'chain', 'wire', 'settings', 'client'],
  chain: ['contracts', 'signing'],
  engine: ['units'],
  domain: ['settings'],
  venue: ['units', 'search', 'signing', 'wire', 'engine', 'domain'],
  platform: ['units', 'art', 'search', 'signing', 'contracts', 'chain', 'wire', 'settings', 'client', 'domain'],
  api: ['wire', 'venue', 'platform'],
  rest: ['wire', 'venue', 'platform'],
}

/** Sources that a program must not reach through any chain of imports: each deployment and the exchange stand alone. */
export const mustNotReach: Readonly<Record<string, readonly RegExp[]>> = {
  'apps/web': [
    /^packages\/(venue|engine)\//,
    /^packages\/domain\/src\/clob\//,
    /^packages\/(api|rest)\/src\/.*\bvenue\b/,
    /^apps\/(?!web\/)/,
  ],
  'apps/sync-worker': [
    /^packages\/(venue|engine)\//,
    /^packages\/domain\/src\/clob\//,
    /^packages\/(api|rest)\/src\/.*\bvenue\b/,
    /^apps\/(?!sync-worker\/)/,
  ],
  'apps/settler': [
    /^packages\/(venue|engine)\//,
    /^packages\/domain\/src\/clob\//,
    /^packages\/(api|rest)\/src\/.*\bvenue\b/,
    /^apps\/(?!settler\/)/,
  ],
  'apps/clob-server': [
    /^packages\/platform\//,
    /^packages\/domain\/src\/platform\//,
    /^packages\/(api|rest)\/src\/.*\bplatform\b/,
    /^apps\/(?!clob-server\/)/,
  ],
  'packages/venue': [/^packages\/domain\/src\/platform\//],
  'packages/venue/src/record': [/^packages\/venue\/src\/serve\//],
  'packages/venue/src/base': [/^packages\/venue\/src\/(record|serve)\//],
  'packages/platform': [/^packages\/domain\/src\/clob\//],
}

/** Packages whose folders are layers: no two of them import each other, directly or through others. */
export const layered: readonly string[] = ['platform', 'venue']

/** Packages without clock, randomness, I/O or environment: the same input always gives the same output. */
export const pure: readonly string[] = ['units', 'art', 'engine']

/** Most lines of a source, and of a test, whose tables are long. */
export const LINES_MAX = 300
export const TEST_LINES_MAX = 400
