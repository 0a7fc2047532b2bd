import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { startProduct } from './product.ts';

/** An nginx with one process that stores what is put and serves it; undefined where there is none: `apt-get install nginx-light`. */
export const startNginx = (parent: string) =>
  startProduct(
    'nginx',
    async ({ folder, port }) => {
      const config = join(folder, 'nginx.conf');
      const files = join(folder, 'files');
      await mkdir(files);
      const bodies = join(folder, 'bodies'); // of the same file system: a body becomes a file by a rename
      const settings = `
        daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; user ${userInfo().username};
        events {}
        http {
          access_log off; sendfile on; client_max_body_size 0; client_body_temp_path ${bodies};
          proxy_temp_path ${bodies}; fastcgi_temp_path ${bodies}; uwsgi_temp_path ${bodies}; scgi_temp_path ${bodies};
          server { listen 127.0.0.1:${port}; root ${files}; location / { dav_methods PUT; } }
        }`;
      await writeFile(config, settings);
      return ['-c', config, '-e', join(folder, 'error.log')];
    },
    parent,
  );
