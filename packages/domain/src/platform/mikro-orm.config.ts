import { ormOptions } from '../orm.ts'
import { platformDatabase } from './database.ts'

// Only for creating migrations by hand: programs open databases by their settings.
export default ormOptions(platformDatabase, 'postgres://postgres@127.0.0.1:3005/platform')
