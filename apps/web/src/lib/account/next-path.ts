/** Where to go after signing in: a path of this site as an address asks for it, else the markets. */
export function nextPath(params: Pick<URLSearchParams, 'get'>): string {
  const next = params.get('next') ?? '/'
  const url = URL.parse(next, 'http://site.invalid')
  // What is left of dots may begin with two slashes: as an address that is another site.
  const isOwn = next.startsWith('/') && url?.host === 'site.invalid' && !url.pathname.startsWith('//')
  return isOwn && url.pathname !== '/login' ? url.pathname + url.search : '/'
}
