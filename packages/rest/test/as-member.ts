import type { Member } from '@augury/platform/authorization/viewer'
import { admission } from '@augury/platform/identity/admission'
import type { Browser } from './browser.ts'
import type { TestSite } from './test-site.ts'

/** The member signed in on a browser, for use cases without a REST route. */
export async function memberOn({ site }: TestSite, { jar }: Browser): Promise<Member> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const viewer = await admission(site, {
    method: 'GET',
    header: (name) => (name === 'cookie' ? cookie : undefined),
    clientAddress: '',
  }).look()
  if (viewer.kind !== 'member') throw new Error('no member is signed in')
  return viewer
}
