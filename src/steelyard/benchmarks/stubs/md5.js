// Stands in for the package js-md5.
module.exports = (text) => require('node:crypto').createHash('md5').update(text).digest('hex');
