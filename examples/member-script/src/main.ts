import { stdout } from 'node:process'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { spendDay } from './day.ts'

const [site = 'http://localhost:3000', exchange = 'http://localhost:3001'] = process.argv.slice(2)
await spendDay({ site, exchange }, privateKeyToAccount(generatePrivateKey()), (text) => void stdout.write(`${text}\n`))
