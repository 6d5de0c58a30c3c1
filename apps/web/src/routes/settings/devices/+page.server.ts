import { listDevices } from '@augury/platform/trading/devices'
import { getTradingCredentials } from '@augury/platform/trading/manage-credentials'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => {
  if (viewer.kind !== 'member') return { enabledAt: null, devices: [], now: site.now().getTime() }
  const [{ clob }, devices] = await Promise.all([getTradingCredentials(site, viewer), listDevices(site, viewer)])
  return {
    enabledAt: clob.enabled && clob.updatedAt !== null ? Date.parse(clob.updatedAt) : null,
    devices: devices.map(({ admittedAt, current }) => ({ at: admittedAt.getTime(), current })),
    now: site.now().getTime(),
  }
}
