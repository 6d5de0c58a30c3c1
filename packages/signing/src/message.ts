import type { Dialect } from './headers.ts'

/** The signed message before the body: timestamp, method and path without separators. */
export const messageHead = (timestamp: number | string, method: string, path: string): string =>
  `${timestamp}${method.toUpperCase()}${path}`

/**
 * The paths that a request's signature may cover. `path` is below the mount and without the query, `query` is what follows the `?`.
 * A GET never signs the query. Other requests sign it under our own headers; most established clients leave it out, and some of them sign
 * the mount too.
 */
export function signedPaths(method: string, path: string, query: string, dialect: Dialect, mount = ''): string[] {
  const withQuery = `${path}?${query}`
  const paths = method.toUpperCase() === 'GET' || query === '' ? [path] : dialect === 'svc' ? [withQuery] : [path, withQuery]
  return mount === '' ? paths : [...paths, ...paths.map((below) => mount + below)]
}
