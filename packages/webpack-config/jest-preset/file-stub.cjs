// What a stylesheet or picture is in a unit test: a name.
module.exports = 'file';
