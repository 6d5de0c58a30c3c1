/** Who speaks for a site. A name made of nothing else belongs to the site. */
const ROLES = (
  'admin administrator administration moderator mod official operator owner root staff support helpdesk help desk service services ' +
  'customer care team security system sysadmin webmaster compliance billing treasury center centre'
).split(' ')
/** A brand of so many letters is looked for inside of names too; a shorter one is part of too many words. */
const DISTINCT = 5

/** Letters and digits that look alike as one of them. */
const LIKE: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', i: 'l' }

/** A name as somebody reads it who does not look closely: names that may be mixed up are the same. */
const seen = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[0134578i]/g, (letter) => LIKE[letter]!)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/**
 * Whether people could take a member of this name for the site `siteName`, or for somebody who speaks for it; or for an address, which is
 * what stands where there is no name.
 */
export function isReservedName(name: string, siteName: string): boolean {
  if (/^0x/i.test(name)) return true
  const brand = seen(siteName)
  const words = new Set([...ROLES, siteName, ...siteName.split(/\s+/)].map(seen))
  const composed = new RegExp(`^(?:${[...words].filter((word) => word.length > 1).join('|')})+$`)
  const read = [name, name.replace(/[\d_]+$/, ''), name.replace(/^[\d_]+/, '')].map(seen)
  return read.some((text) => composed.test(text) || (brand.length >= DISTINCT && text.includes(brand)))
}
