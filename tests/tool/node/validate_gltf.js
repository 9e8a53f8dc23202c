// Prints the report of Khronos' glTF validator on a file as JSON.
const fs = require('fs');
const validator = require('gltf-validator');

const path = process.argv[2];
validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { uri: path, maxIssues: 100 })
    .then((report) => console.log(JSON.stringify(report)));
