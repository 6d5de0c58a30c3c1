import { type Program, VenueScene } from './venue-scene.ts'

let opened: Promise<{ scene: VenueScene; bare: Program }> | null = null

/** The scene that rows of the service share, with the bare server beside it: started by the first that asks. */
export function sharedScene(): Promise<{ scene: VenueScene; bare: Program }> {
  opened ??= VenueScene.open().then(async (scene) => ({ scene, bare: await scene.startBare('bare') }))
  return opened
}

/** Ends what was started. */
export async function closeSharedScene(): Promise<void> {
  const scene = (await opened)?.scene
  opened = null
  await scene?.close()
}
