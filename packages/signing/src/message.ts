import type { Dialect } from './headers.ts'

/** Everything of the signed message before the body: timestamp, method and path without separators. */
export const messageHead = (timestamp: number | string, method: string, path: string): string =>
  `${timestamp}${method.toUpperCase()}${path}`

/**
 * The paths a request may have signed. `path` is below the mount and without the query, `query` is what follows the `?`.
 * For GET the query is never signed. Otherwise our own headers sign it as given; established clients mostly leave it out.
 * Of those, some sign the mount and some do not.
 */
export function signedPaths(method: string, path: string, query: string, dialect: Dialect, mount = ''): string[] {
  const given = `${path}?${query}`
  const paths = method.toUpperCase() === 'GET' || query === '' ? [path] : dialect === 'svc' ? [given] : [path, given]
  return mount === '' ? paths : [...paths, ...paths.map((below) => mount + below)]
}
