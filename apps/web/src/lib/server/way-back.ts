import { splitLocale } from '#lib/language/locale.ts'

/**
 * Where a form was sent from, as the address that names no language; `otherwise` where that is not told, is another site, or would be one
 * as an address: a path that begins with two slashes.
 */
export function wayBack({ headers }: Request, { origin }: URL, otherwise: string): string {
  const from = URL.parse(headers.get('referer') ?? '')
  if (from?.origin !== origin) return otherwise
  const { path } = splitLocale(from.pathname)
  return path.startsWith('//') ? otherwise : path + from.search
}
