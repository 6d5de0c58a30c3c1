import { splitLocale } from '#lib/language/locale.ts'

/**
 * Path of the page that sent a form, without a language; `otherwise` if the referrer is missing, of another site, or a path that begins with two
 * slashes, which would be one.
 */
export function wayBack({ headers }: Request, { origin }: URL, otherwise: string): string {
  const from = URL.parse(headers.get('referer') ?? '')
  if (from?.origin !== origin) return otherwise
  const { path } = splitLocale(from.pathname)
  return path.startsWith('//') ? otherwise : path + from.search
}
