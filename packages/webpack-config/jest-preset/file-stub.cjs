// In unit tests, stylesheets and images are just names.
module.exports = 'file';
