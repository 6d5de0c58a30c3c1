/** A page of the admin area. */
export interface Section {
  href: string
  name: string
}

/** Every page, in the order of the menu. */
export const sections: readonly { name: string; pages: readonly Section[] }[] = [
  {
    name: 'Markets',
    pages: [
      { href: '/admin/events', name: 'Events' },
      { href: '/admin/create', name: 'New event' },
      { href: '/admin/categories', name: 'Categories' },
      { href: '/admin/creators', name: 'Creators' },
      { href: '/admin/prices', name: 'Price series' },
      { href: '/admin/settings/resolution', name: 'Results' },
    ],
  },
  {
    name: 'People',
    pages: [
      { href: '/admin/users', name: 'Members' },
      { href: '/admin/comments', name: 'Comments' },
      { href: '/admin/affiliates', name: 'Affiliates' },
      { href: '/admin/withdrawals', name: 'Withdrawals' },
      { href: '/admin/admins', name: 'Admins' },
    ],
  },
  {
    name: 'Site',
    pages: [
      { href: '/admin/settings/general', name: 'Identity and links' },
      { href: '/admin/theme', name: 'Theme' },
      { href: '/admin/settings/home', name: 'Front page' },
      { href: '/admin/settings/announcement', name: 'Announcement' },
      { href: '/admin/settings/locales', name: 'Languages' },
      { href: '/admin/settings/affiliate', name: 'Fees and affiliates' },
      { href: '/admin/settings/ai', name: 'Writing help' },
      { href: '/admin/settings/swap', name: 'Swap and bridge' },
    ],
  },
  {
    name: 'Running',
    pages: [
      { href: '/admin/system', name: 'System' },
      { href: '/admin/chain', name: 'Chain' },
      { href: '/admin/audit', name: 'Audit log' },
    ],
  },
]
