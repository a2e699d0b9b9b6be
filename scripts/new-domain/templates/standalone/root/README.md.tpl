# {{title}}

A domain of the clinic in a repository of its own: `mf-{{name}}/` has its screens, `svc-{{name}}/` its calls and its data. What it shares with
the clinic, the kit, is installed from npm: `@clinic/contracts`, `service-kit`, `app-kit`, `ui`, `webpack-config`, `static-server`. Node 20.19 or later is needed.

`.npmrc` names the registry that has the kit, and npm takes `@clinic/…` from nowhere else. To change it, change that line; a password for it belongs in your own
`~/.npmrc`. If it is the registry of this machine (`http://127.0.0.1:4873/`), leave `npm run release -- kit --local` running in a copy of the clinic's repository. Then:

    npm install             # commit the lock file that it writes
    npm run check           # types, lint, format
    npm test                # the service's tests on a real database, the screens' in a simulated browser
    npm run build           # mf-{{name}}/dist: all that a deployment of the screens needs

Until the first deployment change what you like: calls in `svc-{{name}}/src/contract`, the compiler then names what no longer fits; pages, who may
open them and menu entries in `mf-{{name}}/remote.config.ts`.

## Develop in a running clinic

The gateway of a clinic for developers needs `REMOTE_OVERRIDES=true`, and the address of your service in `SERVICES`
(`…,{{name}}=http://192.0.2.7:4000`). Then, in three terminals:

    npm run dev -w mf-{{name}}                     # builds again after each change
    PORT=4105 npm start -w mf-{{name}}             # serves the build
    npm run dev -w svc-{{name}}                    # the service; svc-{{name}}/README.md has its settings

Open the clinic with your build: `https://clinic.example/?remote-override=mf-{{name}}@http://localhost:4105/`. If the clinic has no `mf-{{name}}` yet, add your
address to the gateway's `REMOTES` instead. A bar at the foot of each page names the build until you end it there.

## Deploy

If the registry of the kit needs your password, add `--secret id=npmrc,src=$HOME/.npmrc` to both; if it listens on this machine only, `--network host`:

    docker build -f svc-{{name}}/Dockerfile -t {{name}}/svc-{{name}} .
    docker build -f mf-{{name}}/Dockerfile -t {{name}}/mf-{{name}} .

Push the images to a registry that the clinic reaches, or build them on its machine. If it runs with its own Compose files, give its operators
`docker-compose.{{name}}.yml`, whose first lines say how both are added, deployed and rolled back. Otherwise they add the addresses to the gateway's settings, once:

    SERVICES=…,{{name}}=http://svc-{{name}}:4000
    REMOTES=…,mf-{{name}}=http://mf-{{name}}:8080

From then on deploy when you like, the service first; neither the clinic nor another domain is built or restarted. Before a deployment, ask from a copy of the clinic's
repository whether the screens fit what runs: `npm run remote -- check mf-{{name}} ../{{name}}/mf-{{name}}/dist --clinic https://clinic.example`.

## A new version of the kit

All its packages have one version: set it in the three `package.json` files, then `npm install && npm run check && npm test`. The clinic accepts the contract version before its
newest for some months, so there is time.
