// In unit tests, stylesheets and images are just a name.
module.exports = 'file';
