node_modules/
dist/
maps/
.cache/
coverage/
*.log
.env
