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
    "@clinic/app-kit": "1.0.0",
    "@clinic/svc-{{name}}": "1.0.0",
    "@clinic/ui": "1.0.0",
    "react": "{{react}}",
    "react-dom": "{{react-dom}}",
    "react-hook-form": "{{react-hook-form}}"
  },
  "devDependencies": {
    "@clinic/static-server": "1.0.0",
    "@clinic/webpack-config": "1.0.0"
  },
  "jest": {
    "preset": "@clinic/webpack-config"
  }
}
