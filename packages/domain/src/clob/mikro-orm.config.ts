import { ormOptions } from '../orm.ts'
import { clob } from './database.ts'

// Only for creating migrations by hand: programs open databases by their settings.
export default ormOptions(clob, 'postgres://postgres@127.0.0.1:3005/clob')
