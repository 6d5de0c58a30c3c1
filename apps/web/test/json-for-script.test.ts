import { expect, test } from 'vitest'
import { jsonForScript } from '../src/lib/shell/json-for-script.ts'

test.each(['</script><script>alert(1)</script>', '<!-- <script>', 'a & b', '\u2028\u2029', '“plain”', ']]>'])(
  '%j survives inside a script element and cannot leave it',
  (text) => {
    const json = jsonForScript({ text })
    expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual({ text })
  },
)
