{
  "name": "@clinic/mf-{{name}}",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "clinic-webpack build",
    "dev": "clinic-webpack watch",
    "start": "static-server dist",
    "test": "node ../scripts/test/workspace.ts"
  },
  "dependencies": {
    "@clinic/app-kit": "{{kit}}",
    "@clinic/svc-{{name}}": "*",
    "@clinic/ui": "{{kit}}",
    "react": "{{react}}",
    "react-dom": "{{react-dom}}",
    "react-hook-form": "{{react-hook-form}}"
  },
  "devDependencies": {
    "@clinic/static-server": "{{kit}}",
    "@clinic/webpack-config": "{{kit}}"
  },
  "jest": {
    "preset": "@clinic/webpack-config"
  }
}
