{
  "name": "@clinic/svc-{{name}}",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "exports": {
    "./contract": "./src/contract/calls.ts",
    "./contract/*": "./src/contract/*.ts"
  },
  "scripts": {
    "start": "node src/main.ts",
    "dev": "node --watch src/main.ts",
    "build": "tsc -p . --noEmit",
    "test": "node ../scripts/test/workspace.ts"
  },
  "dependencies": {
    "@clinic/contracts": "{{kit}}",
    "@clinic/service-kit": "{{kit}}",
    "mongodb": "{{mongodb}}",
    "zod": "{{zod}}"
  }
}
