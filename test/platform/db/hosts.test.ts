import { expect, test } from 'vitest';
import { hostsOf } from '../../../src/platform/db/hosts.ts';

const urlsOf = (url: string) => hostsOf(url)?.map((each) => each.url);

test('each server of an address keeps the user, the database and the other settings', () => {
  expect(
    hostsOf(
      'postgres://fleet:s%40fe@db1:5433,db2,[fd00::1]:5434/fleet?target_session_attrs=read-write&sslmode=require',
    ),
  ).toEqual([
    { url: 'postgres://fleet:s%40fe@db1:5433/fleet?sslmode=require', host: 'db1', port: 5433 },
    { url: 'postgres://fleet:s%40fe@db2/fleet?sslmode=require', host: 'db2', port: 5432 },
    { url: 'postgres://fleet:s%40fe@[fd00::1]:5434/fleet?sslmode=require', host: 'fd00::1', port: 5434 },
  ]);
});

test('an address of one server is used as it is written', () => {
  for (const url of ['postgres://u@db/x?target_session_attrs=any', 'postgresql:///x?host=/run/postgresql,b'])
    expect(urlsOf(url)).toEqual([url]);
});

test('an address with an empty server, an invalid port or a request for standbys is invalid', () => {
  for (const url of [
    'postgres://u@db1,/x',
    'postgres://u@db1:99999,db2/x',
    'postgres://u@db1,db2/x?target_session_attrs=standby',
    'postgres://u@db 1/x',
  ])
    expect(hostsOf(url)).toBeUndefined();
});
