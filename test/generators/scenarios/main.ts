import { scenario } from './scenario';

const [url = '', token = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await scenario(url, token)));
