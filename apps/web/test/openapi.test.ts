import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import { expect, test } from 'vitest'
import { GET } from '../src/routes/openapi.json/+server.ts'

test('the site describes its own routes, at its own address and under its own name', async () => {
  const visit = { url: new URL('https://augury.example/openapi.json'), locals: { brand: { name: 'Oracle' } } }
  const answer = await GET(visit as Parameters<typeof GET>[0])
  const { info, servers, paths } = (await answer.json()) as { info: { title: string }; servers: unknown; paths: Record<string, object> }
  expect(info.title).toBe('Oracle platform')
  expect(servers).toEqual([{ url: 'https://augury.example' }])
  expect(Object.keys(paths)).toEqual([...new Set(Object.values({ ...platformOperations, ...adminOperations }).map(({ path }) => path))])
})
