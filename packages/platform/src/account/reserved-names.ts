/** Words for people who speak for a site. A name composed of these alone is reserved. */
const ROLES = (
  'admin administrator administration moderator mod official operator owner root staff support helpdesk help desk service services ' +
  'customer care team security system sysadmin webmaster compliance billing treasury center centre'
).split(' ')
/** A brand of at least so many letters is also reserved as a part of names; a shorter one is part of too many words. */
const DISTINCT = 5

/** Maps characters that look alike to one of them. */
const LIKE: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', i: 'l' }

/** A name reduced so that names which look alike become equal. */
const seen = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[0134578i]/g, (letter) => LIKE[letter]!)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/**
 * Whether a username could be mistaken for the site `siteName`, for a person who speaks for it, or for an address, which is shown for
 * members without a name.
 */
export function isReservedName(name: string, siteName: string): boolean {
  if (/^0x/i.test(name)) return true
  const brand = seen(siteName)
  const words = new Set([...ROLES, siteName, ...siteName.split(/\s+/)].map(seen))
  const composed = new RegExp(`^(?:${[...words].filter((word) => word.length > 1).join('|')})+$`)
  const read = [name, name.replace(/[\d_]+$/, ''), name.replace(/^[\d_]+/, '')].map(seen)
  return read.some((text) => composed.test(text) || (brand.length >= DISTINCT && text.includes(brand)))
}
