// Tests the scripts that run in or with MongoDB's container, with stand-ins for mongosh and docker that record their
// calls.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { root } from '../stack/settings.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-mongo-scripts-'));
});
after(() => rmSync(folder, { recursive: true }));

const program = (name: string, script: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const run = (script: string, args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(join(root, script), args, {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: folder, ...env },
  });

describe("the database's health check", () => {
  test('asks mongosh until it has seen the primary, then only checks the port', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { MONGO_PORT: String((server.address() as AddressInfo).port) };
    const check = (): number | null =>
      spawnSync('bash', [join(root, 'docker/mongo/health.sh')], {
        env: { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: folder, ...env },
      }).status;
    program('mongosh', 'echo "$@" >>"$TMPDIR/asked"; exit 1');
    assert.equal(check(), 1);
    program('mongosh', 'echo "$@" >>"$TMPDIR/asked"');
    assert.equal(check(), 0);
    program('mongosh', 'echo once more >>"$TMPDIR/asked"; exit 1');
    assert.equal(check(), 0);
    const call = `--quiet --norc mongodb://127.0.0.1:${env.MONGO_PORT}/?directConnection=true --file /health.js`;
    assert.deepEqual(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n'), [call, call]);
    server.close();
    await once(server, 'close');
    assert.equal(check(), 1);
  });
});

/** The part of MongoDB that docker/mongo/health.js uses, with permissions by signed-in user. */
class NewDatabase {
  initiated = false;
  readonly users = new Map<string, unknown>();
  readonly passwords = new Map<string, string>();
  /** Commands that succeed before the connection breaks. */
  #left = Infinity;
  #signedIn = false;

  /** One run of the check. @returns its exit code; 1 if it was interrupted */
  check(commandsLeft = Infinity, secrets: Readonly<Record<string, string>> = {}): number {
    this.#left = commandsLeft;
    this.#signedIn = false;
    const quits = class extends Error {};
    const admin = {
      auth: (user: string, password: string) => {
        this.#command();
        if (this.passwords.get(user) !== password) throw this.#error('AuthenticationFailed');
        this.#signedIn = true;
      },
      getUser: (user: string) => {
        this.#allowed();
        return this.users.has(user) ? { user } : null;
      },
      createUser: ({ user, pwd, roles }: { readonly user: string; readonly pwd: string; readonly roles: unknown }) => {
        this.#allowed();
        assert.ok(!this.users.has(user), `${user} exists`);
        this.users.set(user, roles);
        this.passwords.set(user, pwd);
      },
    };
    try {
      runInNewContext(readFileSync(join(root, 'docker/mongo/health.js'), 'utf8'), {
        db: { getSiblingDB: () => admin, hello: () => ({ isWritablePrimary: this.initiated }) },
        rs: {
          status: () => {
            this.#allowed();
            if (!this.initiated) throw this.#error('NotYetInitialized');
          },
          initiate: () => {
            this.#allowed();
            this.initiated = true;
          },
        },
        require: () => ({ readFileSync: (file: string) => secrets[file] ?? `password of ${file}\n` }),
        quit: (code: number) => {
          throw new quits(String(code));
        },
      });
      return 0;
    } catch (error) {
      return error instanceof quits ? Number(error.message) : 1;
    }
  }

  #error(codeName: string): Error {
    return Object.assign(new Error(codeName), { codeName });
  }

  #command(): void {
    if (this.#left === 0) throw this.#error('HostUnreachable');
    this.#left -= 1;
  }

  /** Without any user, a local connection may do everything that the check does. */
  #allowed(): void {
    this.#command();
    if (!this.#signedIn && this.users.size > 0) throw this.#error('Unauthorized');
  }
}

describe('the first start of the database', () => {
  const users = {
    root: ['root'],
    identity: [{ role: 'readWrite', db: 'identity' }],
    clinic: [{ role: 'readWrite', db: 'clinic' }],
    pharmacy: [{ role: 'readWrite', db: 'pharmacy' }],
    messages: [{ role: 'readWrite', db: 'messages' }],
    backup: [{ role: 'backup', db: 'admin' }],
  };
  const stateOf = (database: NewDatabase) => JSON.parse(JSON.stringify(Object.fromEntries(database.users))) as unknown;

  test('initiates the replica set and creates the users, and is completed if it was interrupted anywhere', () => {
    const whole = new NewDatabase();
    assert.equal(whole.check(), 0);
    assert.deepEqual(stateOf(whole), users);
    assert.equal(whole.check(), 0, 'nothing is made twice');

    let interrupted = 0;
    for (let commands = 0; ; commands += 1) {
      const database = new NewDatabase();
      if (database.check(commands) === 0) break;
      interrupted += 1;
      assert.equal(database.check(), 0, `after ${commands} commands`);
      assert.deepEqual([database.initiated, stateOf(database)], [true, users], `after ${commands} commands`);
    }
    assert.ok(interrupted > 10);
  });

  test('changes nothing with a wrong password', () => {
    const database = new NewDatabase();
    database.check();
    assert.equal(database.check(Infinity, { '/run/secrets/mongo-root': 'wrong' }), 1);
    assert.deepEqual(stateOf(database), users);
  });
});

describe('docker/database-user.sh', () => {
  test('passes the password on standard input, and creates a user for one database only', () => {
    const secret = join(folder, 'mongo-lab-results');
    writeFileSync(secret, "p'ass\n");
    program(
      'docker',
      `if [ "$2" = config ]; then
  printf 'services:\\n  svc-lab-results:\\n    environment:\\n      MONGODB_USER: lab-results\\n  x:\\n    file: /else\\nsecrets:\\n  mongo-lab:\\n    file: /nowhere\\n  mongo-lab-results:\\n    name: x\\n    file: ${secret}\\n'
elif [ "$2" = ps ]; then
  echo 0123456789ab
else
  for argument; do printf '%s\\0' "$argument"; done >"$TMPDIR/arguments"; cat >"$TMPDIR/input"
fi`,
    );
    assert.equal(run('docker/database-user.sh', ["x'; drop"]).status, 2);
    assert.equal(run('docker/database-user.sh', ['lab-results']).status, 0);
    assert.equal(readFileSync(join(folder, 'input'), 'utf8'), "p'ass\n");
    const given = readFileSync(join(folder, 'arguments'), 'utf8').split('\0').slice(0, -1);
    assert.deepEqual(given.slice(0, -1), [
      'compose',
      'exec',
      '-T',
      'mongo',
      'mongosh',
      '--quiet',
      '--norc',
      'mongodb://127.0.0.1:27017/?directConnection=true',
      '--eval',
    ]);
    assert.ok(
      given.every((argument) => !argument.includes("p'ass")),
      'the password must not be an argument',
    );

    const made: unknown[] = [];
    for (const known of [null, { user: 'lab-results' }]) {
      const admin = {
        auth: (...of: unknown[]) => made.push(['auth', ...of]),
        getUser: () => known,
        createUser: (user: unknown) => made.push(['create', user]),
        updateUser: (...of: unknown[]) => made.push(['update', ...of]),
      };
      const files: Readonly<Record<string, string>> = { '/run/secrets/mongo-root': 'root-password\n', 0: "p'ass\n" };
      runInNewContext(String(given.at(-1)), {
        db: { getSiblingDB: () => admin },
        require: () => ({ readFileSync: (file: string | number) => files[file] }),
        print: () => undefined,
      });
    }
    const rights = { pwd: "p'ass", roles: [{ role: 'readWrite', db: 'lab-results' }] };
    assert.deepEqual(JSON.parse(JSON.stringify(made)), [
      ['auth', 'root', 'root-password'],
      ['create', { user: 'lab-results', ...rights }],
      ['auth', 'root', 'root-password'],
      ['update', 'lab-results', rights],
    ]);
  });
});
