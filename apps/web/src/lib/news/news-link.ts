import type { MemberNotification } from '@augury/wire/platform/belongings'

/** Where a notification leads; null when it leads nowhere. Addresses of other sites come from the site's own operators only. */
export function newsLink({
  link_type,
  link_target,
  link_url,
}: Pick<MemberNotification, 'link_type' | 'link_target' | 'link_url'>): string | null {
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
