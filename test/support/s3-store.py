"""An S3 store for the tests: OpenStack Swift with its s3api, all of its servers in this one process, on one folder.

    python3 s3-store.py <folder> <port, 0 for a free one> <access key> <secret>

Prints the port when it takes calls. What it keeps is still there when it is started again on the same folder.
"""
import os
import sys
import tempfile

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import storage_policy, utils

folder, port, access_key, secret = sys.argv[1:]
account = access_key.split(':')[0]
devices = os.path.join(folder, 'devices')
os.makedirs(os.path.join(devices, 'sda'), exist_ok=True)

# Swift takes its cluster's secret and its policies from a file of the machine; this cluster has one of its own.
utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')
with open(utils.SWIFT_CONF_FILE, 'w') as conf:
    conf.write('[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = one\ndefault = yes\n')
utils.HASH_PATH_SUFFIX = b'tests'
storage_policy.reload_storage_policies()

from swift.account.server import app_factory as account_app
from swift.common.ring import RingBuilder
from swift.container.server import app_factory as container_app
from swift.obj.server import app_factory as object_app


class Silent:
    def write(self, text):
        pass


def serve(socket, app):
    eventlet.spawn(wsgi.server, socket, app, Silent(), debug=False)


def listen(port=0):
    return eventlet.listen(('127.0.0.1', port), backlog=256, reuse_port=False)


shared = {'swift_dir': folder, 'devices': devices, 'mount_check': 'false', 'log_level': 'ERROR'}
for name, make in (('account', account_app), ('container', container_app), ('object', object_app)):
    socket = listen()
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': socket.getsockname()[1],
                     'device': 'sda', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))
    serve(socket, make(shared, fallocate_reserve='0', disk_chunk_size='1048576', network_chunk_size='1048576'))

pipeline = f"""
[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
client_chunk_size = 1048576
object_chunk_size = 1048576
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
# Of the tests' parts and sizes, which Amazon would find too small.
min_segment_size = 1
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_tests = {secret} .admin .reseller_admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
"""
with tempfile.NamedTemporaryFile('w', suffix='.conf', dir=folder) as conf:
    conf.write(pipeline)
    conf.flush()
    from swift.common.wsgi import loadapp
    proxy = loadapp(conf.name)

# Swift's access keys are `account:user`; those of other stores may have no colon.
auth = proxy
while not hasattr(auth, 'users'):
    auth = auth.app
auth.users = {access_key: auth.users[f'{account}:tests']}


class Memory:
    """In the place of memcached."""

    def __init__(self):
        self.kept = {}

    def get(self, key, raise_on_error=False):
        return self.kept.get(key)

    def set(self, key, value, serialize=True, time=0, **options):
        self.kept[key] = value

    def incr(self, key, delta=1, time=0):
        self.kept[key] = self.kept.get(key, 0) + delta
        return self.kept[key]

    def delete(self, key, **options):
        self.kept.pop(key, None)


memory = Memory()


def app(env, start_response):
    env['swift.cache'] = memory
    return proxy(env, start_response)


front = listen(int(port))
print(front.getsockname()[1], flush=True)
wsgi.server(front, app, Silent(), debug=False)
