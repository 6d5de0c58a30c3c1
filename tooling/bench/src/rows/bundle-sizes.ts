import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { measure } from '../../../../apps/web/scripts/budgets.ts'
import type { Row } from '../row.ts'

const site = resolve(import.meta.dirname, '../../../../apps/web')

/** The JavaScript that pages of the built site load first, as the site's own budgets count it. */
export const bundleSizes: Row = {
  id: '19',
  work: 'JavaScript of shell, home, event, gzip',
  target: '≤ 60, 85, 110 kB',
  async measure() {
    if (!existsSync(join(site, 'build/server'))) return { why: 'the site is not built: npm run build' }
    const sizes = (await measure(site)).filter(({ name }) => name.startsWith('JavaScript: '))
    const figures = sizes.map(({ name, bytes }) => ({ name: name.replace('JavaScript: ', ''), value: bytes / 1000, unit: 'kB' }))
    return { figures, met: sizes.every(({ bytes, limit }) => bytes <= limit) }
  },
}
