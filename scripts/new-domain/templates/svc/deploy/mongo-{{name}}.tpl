demo-only-mongo-{{name}}
