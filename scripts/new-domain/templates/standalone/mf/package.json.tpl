{
  "name": "@clinic/mf-{{name}}",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "clinic-webpack build",
    "dev": "clinic-webpack watch",
    "start": "static-server dist",
    "test": "node --experimental-vm-modules --no-warnings ../node_modules/jest/bin/jest.js"
  },
  "dependencies": {
    "@clinic/app-kit": "{{kit}}",
    "@clinic/contracts": "{{kit}}",
    "@clinic/svc-{{name}}": "*",
    "@clinic/ui": "{{kit}}",
    "react": "{{react}}",
    "react-dom": "{{react-dom}}",
    "react-hook-form": "{{react-hook-form}}",
    "react-router-dom": "{{react-router-dom}}"
  },
  "devDependencies": {
    "@clinic/webpack-config": "{{kit}}"
  },
  "jest": {
    "preset": "@clinic/webpack-config"
  }
}
