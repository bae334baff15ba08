package main

// This file will hold the command "proxy", which captures traffic, and what "conformance replay" and "conformance add"
// do with it.
