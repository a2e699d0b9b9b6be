# {{title}}

A domain of the clinic in a repository of its own: `mf-{{name}}/` has its screens, `svc-{{name}}/` its calls and its data. What it shares with
the clinic, the kit, is installed from npm: `@clinic/contracts`, `service-kit`, `app-kit`, `ui`, `webpack-config`, `static-server`. Node 24 is needed.

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

    docker build -f svc-{{name}}/Dockerfile -t {{name}}/svc-{{name}} --secret id=npmrc,src=$HOME/.npmrc .
    docker build -f mf-{{name}}/Dockerfile -t {{name}}/mf-{{name}} --secret id=npmrc,src=$HOME/.npmrc .

Add `--network host` if the registry of the kit listens on this machine only.

The clinic's operators need the two addresses, once. They add them to the gateway's settings, and it takes the rest from what the two publish:

    SERVICES=…,{{name}}=http://svc-{{name}}:4000
    REMOTES=…,mf-{{name}}=http://mf-{{name}}:8080

If the clinic runs with its own Compose files, push the images to a registry that it reaches (or build them on its machine as `{{name}}/svc-{{name}}` and `{{name}}/mf-{{name}}`), and
give its operators `docker-compose.{{name}}.yml`. Its first lines say how the two containers are added, deployed and rolled back: with the same commands as every other part.

From then on deploy when you like, the service first; neither the clinic nor another domain is built or restarted. Before a deployment, ask from a copy of the clinic's
repository whether the screens fit what runs: `npm run remote -- check mf-{{name}} ../{{name}}/mf-{{name}}/dist --clinic https://clinic.example`.

## A new version of the kit

All its packages have one version: set it in the three `package.json` files, then `npm install && npm run check && npm test`. The clinic accepts the contract version before its
newest for some months, so there is time.
