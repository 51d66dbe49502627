// SPDX-License-Identifier: MIT

package errors

type TencentCloudSDKError struct{ Message string }

func (e *TencentCloudSDKError) Error() string { return e.Message }
