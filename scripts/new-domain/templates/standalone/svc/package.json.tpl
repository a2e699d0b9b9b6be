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
    "test": "node --test \"src/**/*.test.ts\""
  },
  "dependencies": {
    "@clinic/contracts": "{{kit}}",
    "@clinic/service-kit": "{{kit}}",
    "express": "{{express}}",
    "mongodb": "{{mongodb}}",
    "zod": "{{zod}}"
  },
  "devDependencies": {
    "@clinic/mongo-embedded": "{{kit}}",
    "p-wait-for": "{{p-wait-for}}"
  }
}
