import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasAnvil } from '../../../packages/chain/test/anvil.ts'
import { alice, bob, openScene, type Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  if (hasAnvil()) scene = await openScene()
})
afterAll(() => scene?.close())

/** Tests of a real chain; where npm has no Anvil for the platform they say so and look at nothing. */
const onAnvil = (name: string, work: () => Promise<void>) =>
  test(name, async ({ annotate }) => {
    if (hasAnvil()) await work()
    else await annotate('npm has no Anvil for this platform')
  })

onAnvil('a deposit is credited, and a withdrawal is posted in a root, paid, and settled', async () => {
  const settler = await scene.settler('one')
  await scene.deposit(alice, 60_000_000)
  await settler.until(({ watched }) => watched?.credited.length)
  expect(await scene.credited()).toMatchObject([{ amount: '60000000' }])
  await scene.withdraw(alice, 10_000_000, bob.address)
  const { status } = await settler.until(async () => (await scene.stepsOf()).includes('settled'))
  expect(await scene.balanceOf(bob.address)).toBe(10_000_000)
  expect(status).toMatchObject({ halted: null, troubles: [], balance: 50_000_000, deposits: 60_000_000, payments: 10_000_000 })
  const roots = await scene.rows('select n, custody::int from chain.root order by n')
  expect(roots.length).toBeGreaterThan(0)
})
