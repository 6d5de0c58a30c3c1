import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import { expect, test } from 'vitest'
import { GET } from '../src/routes/openapi.json/+server.ts'

test('the site describes its own routes, at its own address', async () => {
  const answer = await GET({ url: new URL('https://augury.example/openapi.json') } as Parameters<typeof GET>[0])
  const { servers, paths } = (await answer.json()) as { servers: unknown; paths: Record<string, object> }
  expect(servers).toEqual([{ url: 'https://augury.example' }])
  expect(Object.keys(paths)).toEqual([...new Set(Object.values({ ...platformOperations, ...adminOperations }).map(({ path }) => path))])
})
