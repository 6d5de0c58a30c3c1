import { setTimeout as wait } from 'node:timers/promises'
import { type Backup, backupHere } from './backup.ts'
import type { Fault } from './faults.ts'
import type { Scene } from './scene.ts'
import { send } from './trader.ts'

/** A backup restored over later data. */
export const restores: readonly Fault[] = [
  {
    name: 'an older backup is restored',
    must: 'it is refused until an operator confirms it; then everything acknowledged before it is there, nothing since is, and every reader sees it by the epoch',
    run: (scene) => drill(scene, backupHere()),
  },
]

async function drill(scene: Scene, backup: Backup): ReturnType<Fault['run']> {
  const before = await scene.trade()
  await wait(500)
  await before.stop()
  const { epoch } = (await send(scene.writer.url, 'GET', '/status')).body
  const { dataDir } = scene.writer
  await scene.writer.stop('SIGTERM')
  const restore = await backup.take(scene, dataDir)
  await scene.start()
  const since = await scene.trade()
  await wait(500)
  await since.stop()
  await scene.writer.stop('SIGTERM')
  const begun = performance.now()
  await restore()
  const seconds = (performance.now() - begun) / 1000
  const refusal = await scene.start().then(
    () => 'it started as if nothing were missing',
    ({ message }: Error) => message,
  )
  const wrong = refusal.includes('does not hold that') ? [] : [refusal]
  await scene.acceptRestored()
  await scene.start()
  const { url } = scene.writer
  wrong.push(...(await before.check(url)))
  const [trader] = before.traders
  for (const id of since.orders) {
    const { status } = await trader!.call(url, 'GET', `/data/order/${id}`)
    if (status !== 404) wrong.push(`order ${id} of after the backup is answered ${status}`)
  }
  const status = (await send(url, 'GET', '/status')).body
  if (status.epoch <= epoch) wrong.push(`the epoch is still ${status.epoch}`)
  return {
    facts: `once, by ${backup.way}: ${before.acknowledged} acknowledged, ${before.refused} refused before it; ${since.acknowledged} acknowledged since are gone; put back in ${seconds.toFixed(1)} s`,
    wrong,
  }
}
