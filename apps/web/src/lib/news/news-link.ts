import type { MemberNotification } from '@augury/wire/platform/belongings'

/** Paths of members' pages, by their names in notifications. */
const OWN_PAGES: Readonly<Record<string, string>> = {
  'settings two-factor': '/settings/security',
  'profile activity': '/portfolio?tab=history',
  'profile withdrawals': '/money#transfers',
}

/** Link of a notification, or null. Only the site's operators can link to other sites. */
export function newsLink({
  link_type,
  link_target,
  link_url,
}: Pick<MemberNotification, 'link_type' | 'link_target' | 'link_url'>): string | null {
  const own = `${link_type} ${link_target}`
  if (Object.hasOwn(OWN_PAGES, own)) return OWN_PAGES[own]!
  switch (link_type) {
    case 'event':
    case 'market':
      return link_target === '' ? null : `/event/${link_target}`
    case 'order':
      return '/portfolio?tab=orders'
    case 'settings':
      return link_target === '' ? '/settings' : `/settings/${link_target}`
    case 'profile':
      return link_target === '' ? null : `/u/${link_target}`
    case 'external':
      return URL.parse(link_url)?.protocol === 'https:' ? link_url : null
    case 'none':
      return null
  }
}
