import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { webSettings } from '@augury/settings/env'
import type { Page } from '@playwright/test'
import { sections } from '../src/lib/admin/sections.ts'

/** Whose pages they are. */
export type Reader = 'visitor' | 'member' | 'admin'

const { origin } = webSettings()
const src = join(import.meta.dirname, '../src')

interface Listed {
  slug: string
  has_live_chart: boolean
  markets: { slug: string }[]
}
const events = async (query: string) => (await (await fetch(`${origin}/api/events?${query}`)).json()) as Listed[]

/** Addresses on the running site that stand for its routes: of a plain event, one about a price, and one that is decided. */
export async function addressesOf(reader: Reader, page: Page): Promise<string[]> {
  const [active, resolved] = await Promise.all([events('limit=128'), events('status=resolved&limit=1')])
  const plain = active.find((event) => !event.has_live_chart && event.markets.length > 1)
  const price = active.find((event) => event.has_live_chart)
  const event = `/event/${plain?.slug}`
  const unfolded = `${event}/${plain?.markets[0]?.slug}`
  if (reader === 'admin') return addressesOfAdmin(page)
  if (reader === 'member') return addressesOfMember(page, event, unfolded)
  const guides = readdirSync(join(src, 'docs')).map((name) => `/docs/${name.replace('.md', '')}`)
  return [
    '/',
    '/?status=resolved',
    '/c/sports',
    '/c/sports/soccer',
    '/search?q=will',
    '/search?q=nothing-like-it',
    '/saved',
    event,
    unfolded,
    `${event}?mode=trading`,
    `${event}?mode=reading`,
    ...[price, ...resolved].flatMap((each) => (each ? `/event/${each.slug}` : [])),
    '/activity',
    '/leaderboard',
    ...(await firstLinks(page, '/leaderboard', 'a[href^="/u/"]')),
    '/docs',
    ...guides,
    '/docs/api',
    '/docs/api/listMarkets',
    '/verify',
    '/status',
    '/changelog',
    '/offline',
    '/login',
    '/login/two-factor',
    '/confirm-email',
    '/nowhere',
    `/embed/${plain?.slug}`,
    '/es',
    '/ar',
    `/ar${event}`,
  ]
}

async function addressesOfAdmin(page: Page): Promise<string[]> {
  return [
    '/admin',
    ...sections.flatMap((section) => section.pages.map(({ href }) => href)),
    ...(await firstLinks(page, '/admin/events', 'a[href^="/admin/events/"]')),
    ...(await firstLinks(page, '/admin/prices', 'a[href^="/admin/prices/"]')),
    await newDraft(page),
  ]
}

async function addressesOfMember(page: Page, event: string, unfolded: string): Promise<string[]> {
  const settings = ['profile', 'appearance', 'notifications', 'security', 'devices', 'api-keys', 'limits', 'affiliate']
  return [
    '/',
    event,
    unfolded,
    `${event}?mode=trading`,
    `${event}?mode=reading`,
    '/portfolio',
    '/portfolio?tab=orders',
    '/portfolio?tab=history',
    '/money',
    '/notifications',
    '/saved',
    ...(await firstLinks(page, '/money', 'a[href^="/money/"]')),
    ...settings.map((name) => `/settings/${name}`),
  ]
}

/** Where the first such link of a page leads, where there is one. */
async function firstLinks(page: Page, path: string, selector: string): Promise<string[]> {
  await page.goto(path, { waitUntil: 'load', timeout: 120_000 })
  const links = page.locator(selector)
  return (await links.count()) === 0 ? [] : [(await links.first().getAttribute('href'))!]
}

/** An event that is being made, on its first step. */
async function newDraft(page: Page): Promise<string> {
  await page.goto('/admin/create')
  await page.locator('[data-listens]').waitFor()
  await page.getByRole('button', { name: /^Exactly one wins/ }).click()
  await page.waitForURL(/\/admin\/create\/[0-9a-f-]{36}$/)
  return new URL(page.url()).pathname
}

/** Routes with a page that none of the addresses leads to. */
export function routesWithout(addresses: readonly string[]): string[] {
  const paths = addresses.map((address) => address.split('?')[0]!)
  return readdirSync(join(src, 'routes'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('+page.svelte'))
    .map((file) => `/${file.replace(/\/?\+page\.svelte$/, '')}`)
    .filter((route) => {
      const pattern = route.replace(/\/\[\[\w+\]\]/g, '(/[^/]+)?').replace(/\[\w+\]/g, '[^/]+')
      return !paths.some((path) => new RegExp(`^${pattern}$`).test(path))
    })
}
