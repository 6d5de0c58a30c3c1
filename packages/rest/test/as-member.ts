import { admission } from '@augury/platform/identity/admission'
import type { Member } from '@augury/platform/identity/viewer'
import type { Browser } from './browser.ts'
import type { TestSite } from './test-site.ts'

/** Who is signed in on a browser, for use cases that no route of REST carries. */
export async function memberOn({ site }: TestSite, { jar }: Browser): Promise<Member> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const viewer = await admission(site, {
    method: 'GET',
    header: (name) => (name === 'cookie' ? cookie : undefined),
    clientAddress: '',
  }).look()
  if (viewer.kind !== 'member') throw new Error('nobody is signed in')
  return viewer
}
