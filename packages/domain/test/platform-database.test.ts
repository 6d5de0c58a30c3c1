import { migratedDatabase } from '@augury/testing/database'
import type { MikroORM } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratePlatform, openPlatformOrm } from '../src/platform/database.ts'

let orm: MikroORM
beforeAll(async () => {
  orm = await openPlatformOrm(await migratedDatabase('platform', migratePlatform))
})
afterAll(() => orm.close())

test('the migrations build what the entities say', async () => {
  expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('')
})
