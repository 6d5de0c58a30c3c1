/** Where to go after signing in: the path requested by the query if it is one of this site, else the markets. */
export function nextPath(params: Pick<URLSearchParams, 'get'>): string {
  const next = params.get('next') ?? '/'
  const url = URL.parse(next, 'http://site.invalid')
  // A path with its dots resolved may begin with two slashes, which would be another host.
  const isOwn = next.startsWith('/') && url?.host === 'site.invalid' && !url.pathname.startsWith('//')
  return isOwn && url.pathname !== '/login' ? url.pathname + url.search : '/'
}
