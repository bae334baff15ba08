// Package examples holds the access patterns that this project was made for, as tests and examples which run through
// the official AWS SDK for Go. Each is named by its row in the list below, so that a failure tells which pattern broke.
//
//	 1 unique username by key                        14 a key becomes a partition
//	 2 unique username and e-mail                    16 local and global secondary indexes
//	 3 account with generated id and two markers     17 1 MB before projection
//	 4 check-then-write is a race                    18 400 KB
//	 6 sequential ids                                19 write sharding and scatter-gather
//	 7 newest first with a cursor                    20 capacity modes
//	 8 a filter can empty a page                     21 the cart, in awscli/cart.sh
//	 9 cost of a transaction                         22 streams
//	10 100 actions, no more                          23 time to live
//	11 ten attribute types                           25 boto3, in boto3/seed25.py
//	12 keys are enforced                             26 a scan is charged for what it reads
//	13 item collections
//
// Not here, because the emulator doesn't have it yet: row 5 (a global secondary index that lags), row 15 and the last
// part of row 20 (throttling), the capacity trace of row 9 that shows the charge of a cancelled transaction, row 24 and
// the last step of row 21 (global tables), row 27 and the picture of row 14 in a page (the console).
package examples
